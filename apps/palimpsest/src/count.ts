/** A number for people: `110,365`. A whole one is written by hand: data of a language would be loaded for it. */
export function count(value: number): string {
  if (!Number.isSafeInteger(value)) return value.toLocaleString('en-US')
  const digits = String(Math.abs(value))
  const groups = [
    digits.slice(0, digits.length % 3),
    ...(digits.slice(digits.length % 3).match(/\d{3}/g) ?? []),
  ]
  return `${value < 0 ? '-' : ''}${groups.filter(Boolean).join(',')}`
}

/** `3,210 messages`, `1 message`. */
export function counted(value: number, noun: string, nouns = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : nouns}`
}
