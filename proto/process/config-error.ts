/** The start is refused: the environment is wrong. Each line names one variable and says what it should be. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    super(['The configuration is not usable:', ...lines.map((line) => `  ${line}`)].join('\n'));
    this.lines = lines;
  }
}

/** The exit status for a wrong configuration (EX_CONFIG of sysexits.h): starting again cannot help. */
export const configExitCode = 78;
