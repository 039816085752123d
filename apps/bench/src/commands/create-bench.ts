import type { Command } from 'commander'
import { benchCommand } from './bench.ts'
import { compressorCommand } from './compressor.ts'
import { decisionsCommand } from './decisions.ts'
import { dialoguesCommand } from './dialogues.ts'
import { lcmCommand } from './lcm.ts'
import { scaleCommand } from './scale.ts'
import { scaleWorkerCommand } from './scale-worker.ts'
import type { Surroundings } from './surroundings.ts'

/** The whole command line. Faults of the user are thrown, not printed: one line for each is the caller's. */
export function createBench(surroundings: Surroundings): Command {
  const { stdout } = surroundings
  const bench = benchCommand(surroundings)
  for (const command of [lcmCommand, scaleCommand, dialoguesCommand, decisionsCommand, compressorCommand])
    bench.addCommand(command(surroundings))
  bench.addCommand(scaleWorkerCommand(), { hidden: true })
  for (const command of [bench, ...bench.commands])
    command.exitOverride().configureOutput({ outputError() {}, writeOut: (text) => stdout.write(text) })
  return bench
}
