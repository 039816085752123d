import { Presets, SingleBar } from 'cli-progress'

export interface Progress {
  step(text: string): void
  done(part: number, whole: number): void
  end(): void
}

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
