import { Presets, SingleBar } from 'cli-progress'

/** A bar on stderr while something long runs; nothing where no person watches. */
export interface Progress {
  update(done: number, total: number): void
  stop(): void
}

export function createProgress(label: string, unit: string): Progress {
  if (!process.stderr.isTTY) return { update() {}, stop() {} }
  const format = `${label} {bar} {percentage}% | {value}/{total} ${unit}`
  const bar = new SingleBar(
    { format, stream: process.stderr, clearOnComplete: true, hideCursor: true },
    Presets.shades_classic,
  )
  let started = false
  return {
    update(done, total) {
      if (!started) bar.start(total, 0)
      started = true
      bar.update(done)
    },
    stop() {
      if (started) bar.stop()
    },
  }
}
