type Numbers = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array

/** A larger array with what another one has. */
export function grown<T extends Numbers>(larger: T, old: T): T {
  larger.set(old)
  return larger
}
