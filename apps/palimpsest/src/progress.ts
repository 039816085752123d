import { Presets, SingleBar } from 'cli-progress'

let running: SingleBar | undefined

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
  keepNothingAlive(bar)
  try {
    return await run((done, total) => {
      if (running !== bar) bar.start(total, 0)
      running = bar
      bar.update(done)
    })
  } finally {
    stopProgress()
  }
}

/** Takes the bar away, if one is shown. */
export function stopProgress(): void {
  running?.stop()
  running = undefined
}

/** The bar's timer for the next drawing must not keep a program going that waits for nothing else. */
function keepNothingAlive(bar: SingleBar & { timer?: NodeJS.Timeout | null }): void {
  const render = bar.render.bind(bar)
  bar.render = () => {
    render()
    bar.timer?.unref()
  }
}
