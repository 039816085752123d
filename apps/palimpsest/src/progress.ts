import type { SingleBar } from 'cli-progress'

const BAR_COLUMNS = 24

let running: SingleBar | undefined

export type OnProgress = (done: number, total: number) => void

export async function withProgress<T>(
  label: string,
  unit: string,
  run: (onProgress: OnProgress) => Promise<T>,
): Promise<T> {
  if (!process.stderr.isTTY) return run(() => {})
  const { Presets, SingleBar } = await import('cli-progress')
  const format = `${label} {bar} {percentage}% | {value}/{total} ${unit}`
  // The terminal keeps its settings, so that Ctrl-C has nothing to restore.
  const terminal = { stream: process.stderr, hideCursor: false, linewrap: true }
  const options = { format, ...terminal, barsize: BAR_COLUMNS, clearOnComplete: true }
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

export function stopProgress(): void {
  running?.stop()
  running = undefined
}

/** The bar's timer must not keep the process alive. */
function keepNothingAlive(bar: SingleBar & { timer?: NodeJS.Timeout | null }): void {
  const render = bar.render.bind(bar)
  bar.render = () => {
    render()
    bar.timer?.unref()
  }
}
