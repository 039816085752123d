/** A value as JSON: bytes as base64, big integers as digits. Empty for what holds itself. Never throws. */
export function wireText(value: unknown): string {
  try {
    return JSON.stringify(value, bytesAsText) ?? ''
  } catch {
    return ''
  }
}

/** The same for what should be JSON already, several times as fast. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return wireText(value)
  }
}

/** Bytes as base64; undefined for everything else. */
function base64Of(value: unknown): string | undefined {
  if (value instanceof ArrayBuffer) return Buffer.from(value).toString('base64')
  if (!(value instanceof Uint8Array)) return undefined
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64')
}

/** `this` has what a buffer's own `toJSON` has made a list of numbers already. */
function bytesAsText(this: unknown, key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return value
  return base64Of((this as Record<string, unknown>)[key]) ?? value
}
