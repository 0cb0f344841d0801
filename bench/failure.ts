/** Why a run is not reported: said in one line, without a stack. */
export class BenchFailure extends Error {
  override readonly name = 'BenchFailure';
}
