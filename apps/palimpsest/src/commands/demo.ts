import { Command } from 'commander'
import { loadConfiguration } from '../engines/configuration.ts'
import { type DemoFlags, runDemo } from '../replay/run-demo.ts'
import { addReplayOptions } from './replay.ts'

/** `palimpsest demo`: the main job on the bundled session. */
export function demoCommand(): Command {
  return addReplayOptions(new Command('demo'))
    .option('--no-open', 'leave the browser alone; without a terminal and a desktop it is never opened')
    .description('Replays the bundled session, a coding agent at work for hours, and shows it on a page.')
    .action(async (flags: DemoFlags) => {
      process.exitCode = await runDemo(await loadConfiguration(flags.config, process.cwd()), flags)
    })
}
