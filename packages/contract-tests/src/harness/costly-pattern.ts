import { processorTime } from './processor-time.ts'

export const COSTLY_PATTERN = '(a+)+$'

/** A shorter search cannot be distinguished from noise, in milliseconds. */
const MEASURABLE_MS = 10
/** Each further letter doubles the time: to between 1.3 and 2.6 seconds. */
const LETTERS_MORE = 7

export function costlyText(): string {
  const almost = (letters: number) => `${'a'.repeat(letters)}!`
  const searchTime = (letters: number): number => {
    const start = processorTime()
    // oxlint-disable-next-line regexp/no-super-linear-backtracking, regexp/no-super-linear-move -- it is meant to be slow
    new RegExp(COSTLY_PATTERN).test(almost(letters))
    return processorTime() - start
  }
  let letters = 10
  // The quickest of three: the others may have compiled the pattern.
  while (Math.min(...[1, 2, 3].map(() => searchTime(letters))) < MEASURABLE_MS) letters++
  return almost(letters + LETTERS_MORE)
}

/** The longest time for which a task kept everything else from running, in milliseconds of the processor. */
export async function longestBlock(run: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let last = processorTime()
  const look = () => {
    const now = processorTime()
    longest = Math.max(longest, now - last)
    last = now
  }
  const timer = setInterval(look, 5)
  try {
    await run()
  } finally {
    look()
    clearInterval(timer)
  }
  return longest
}
