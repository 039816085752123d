import { Presets, SingleBar } from 'cli-progress'

export interface Progress {
  step(text: string): void
  done(part: number, whole: number): void
  /** Everything is done: the bar goes away. */
  end(): void
}

/** A bar in a terminal; else one line for each step. */
export function createProgress(stream: NodeJS.WriteStream): Progress {
  if (!stream.isTTY) return { step: (text) => stream.write(`${text}\n`), done: () => {}, end: () => {} }
  const options = { format: '{bar} {percentage}% | {text}', stream, clearOnComplete: true }
  const bar = new SingleBar(options, Presets.shades_classic)
  return {
    step(text) {
      bar.stop()
      bar.start(1, 0, { text })
    },
    done(part, whole) {
      bar.setTotal(whole)
      bar.update(Math.min(part, whole))
    },
    end: () => bar.stop(),
  }
}
