import { Presets, SingleBar } from 'cli-progress'

export type OnProgress = (done: number, total: number) => void

/**
 * Runs something long with a bar on stderr, where a person watches; without one where nobody does. The bar goes
 * away however the run ends.
 */
export async function withProgress<T>(
  label: string,
  unit: string,
  run: (onProgress: OnProgress) => Promise<T>,
): Promise<T> {
  if (!process.stderr.isTTY) return run(() => {})
  const format = `${label} {bar} {percentage}% | {value}/{total} ${unit}`
  const options = { format, stream: process.stderr, clearOnComplete: true, hideCursor: true }
  const bar = new SingleBar(options, Presets.shades_classic)
  let started = false
  try {
    return await run((done, total) => {
      if (!started) bar.start(total, 0)
      started = true
      bar.update(done)
    })
  } finally {
    if (started) bar.stop()
  }
}
