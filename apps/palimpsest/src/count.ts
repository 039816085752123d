/** A number for people: `110,365`. */
export function count(value: number): string {
  return value.toLocaleString('en-US')
}

/** `3,210 messages`, `1 message`. */
export function counted(value: number, noun: string, nouns = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : nouns}`
}
