/**
 * Waits for something that is good to have done, and goes on without it when it fails or takes too long: an engine that
 * hangs must not hold the person.
 *
 * @param limit in milliseconds.
 */
export async function patiently(work: Promise<unknown>, limit: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limit)
  })
  await Promise.race([work.catch(() => {}), late])
  clearTimeout(timer)
}
