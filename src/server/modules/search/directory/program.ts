/** As much of it as is needed here: the types of Node do not have it. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object) => { exports: object }
}

export const pageBytes = 65_536

/** The memory of a program. What was read of it is gone once it has grown. */
export type ProgramMemory = { buffer: ArrayBuffer; grow(pages: number): number }

/** Compiles a program once. Returns how it is started: each time with a memory of its own, and what it exports. */
export function compileProgram(bytes: Uint8Array): () => object {
  const compiled = new WebAssembly.Module(bytes)
  return () => new WebAssembly.Instance(compiled).exports
}
