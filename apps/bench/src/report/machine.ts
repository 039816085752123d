import { availableParallelism, cpus, release, totalmem } from 'node:os'

export interface Machine {
  readonly cpu: string
  readonly cores: number
  /** In bytes. */
  readonly memory: number
  readonly platform: string
}

/** The machine that this runs on. */
export function describeMachine(): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memory: totalmem(),
    platform: `${process.platform} ${process.arch}, ${release()}`,
  }
}
