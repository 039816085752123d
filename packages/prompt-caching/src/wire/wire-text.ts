/** Bytes become base64 and big integers digits. Empty for a cycle. Never throws. */
export function wireText(value: unknown): string {
  try {
    return JSON.stringify(value, bytesAsText) ?? ''
  } catch {
    return ''
  }
}

export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return wireText(value)
  }
}

function base64Of(value: unknown): string | undefined {
  if (value instanceof ArrayBuffer) return Buffer.from(value).toString('base64')
  if (!(value instanceof Uint8Array)) return undefined
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64')
}

/** `this` has the bytes; the buffer's own `toJSON` has already converted `value`. */
function bytesAsText(this: unknown, key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return value
  return base64Of((this as Record<string, unknown>)[key]) ?? value
}
