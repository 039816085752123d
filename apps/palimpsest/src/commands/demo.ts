import { Command } from 'commander'
import { BUNDLED_SESSION } from '../bundled-session.ts'
import { loadConfiguration } from '../engines/configuration.ts'
import { type ReplayFlags, runReplay } from '../replay/run-replay.ts'
import { addReplayOptions } from './replay.ts'

/** `palimpsest demo`: the main job on the bundled session. */
export function demoCommand(): Command {
  return addReplayOptions(new Command('demo'))
    .description('Replays the bundled session: a coding agent at work for hours.')
    .action(async (flags: ReplayFlags) => {
      process.exitCode = await runReplay(
        BUNDLED_SESSION,
        await loadConfiguration(flags.config, process.cwd()),
        flags,
      )
    })
}
