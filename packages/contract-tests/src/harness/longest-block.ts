/** How long nothing else could run at most while something did, in milliseconds. */
export async function longestBlock(run: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let last = performance.now()
  const look = () => {
    const now = performance.now()
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
