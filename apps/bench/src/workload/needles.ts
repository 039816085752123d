import type { Random } from './random.ts'

export interface Needle {
  readonly key: string
  readonly value: string
  readonly where: 'user' | 'tool'
  readonly sentence: string
}

/** Nothing else in a conversation reads like this. */
const NEEDLE_START = 'The snapshot path of'

/** Facts with values of four kinds: hexadecimal, number, version, path. Half go to users, half to tool results. */
export function createNeedles(random: Random, count: number): Needle[] {
  return Array.from({ length: count }, (_, index) => {
    const key = `K${index}${random.pick(['alder', 'birch', 'cedar', 'elm', 'fir'])}`
    const value = [
      () => random.int(0x10000000, 0xffffffff).toString(16),
      () => String(random.int(100_000, 999_999)),
      () => `${random.int(1, 30)}.${random.int(0, 40)}.${random.int(100, 999)}`,
      () => `/var/data/${key.toLowerCase()}/${random.int(1000, 9999)}.db`,
    ][index % 4]?.() as string
    const where = index % 8 < 4 ? 'user' : 'tool'
    return { key, value, where, sentence: `${NEEDLE_START} ${key} is ${value}.` }
  })
}

export function holdsNeedle(text: string): boolean {
  return text.includes(NEEDLE_START)
}
