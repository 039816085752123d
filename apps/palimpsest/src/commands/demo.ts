import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import { loadConfig } from '../load-config.ts'
import { type ReplayFlags, runReplay } from '../replay/run-replay.ts'
import { addReplayOptions } from './replay.ts'

/** The session that comes with the command line; `recorder/` made it. */
export const BUNDLED_SESSION = fileURLToPath(new URL('../sessions/ledger.jsonl', import.meta.url))

/** `palimpsest demo`: the main job on the bundled session. */
export function demoCommand(): Command {
  return addReplayOptions(new Command('demo'))
    .description('Replays the bundled session: a coding agent at work for hours.')
    .action(async (flags: ReplayFlags) => {
      process.exitCode = await runReplay(
        BUNDLED_SESSION,
        await loadConfig(flags.config, process.cwd()),
        flags,
      )
    })
}
