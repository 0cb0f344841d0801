/** A body with its references filled in; `missing` is the first that names no earlier write. */
export interface Filled {
  readonly text: string;
  readonly missing: string | undefined;
}

/** Strings are met whole, so that what stands inside one is never taken for a reference. */
const stringOrReference = /"[^"\\]*(?:\\.[^"\\]*)*"|\{"\$ref":"(\d{1,2})\.id"\}/g;

/**
 * In a body `{"$ref": "0.id"}` stands for the id of an earlier write, at any depth. `text` is compact JSON, every other
 * character of which stays as it is; `idOf` says which id an earlier write has, undefined where there is no such write.
 */
export function withReferences(text: string, idOf: (index: number) => string | undefined): Filled {
  let missing: string | undefined;
  const filled = text.replaceAll(stringOrReference, (found: string, index: string | undefined) => {
    const id = index === undefined ? undefined : idOf(Number(index));
    if (index !== undefined && id === undefined) missing ??= `${index}.id`;
    return id === undefined ? found : JSON.stringify(id);
  });
  return { text: filled, missing };
}
