import { availableParallelism, cpus, release, totalmem } from 'node:os'
import type { Machine } from './bench-report.ts'

/** The machine that this runs on. */
export function describeMachine(): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memory: totalmem(),
    platform: `${process.platform} ${process.arch}, ${release()}`,
  }
}
