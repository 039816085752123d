import { Command } from 'commander'
import { CONFIG_OPTION } from './shared-options.ts'

const EXAMPLES = `
Examples:
  $ palimpsest engines list
  $ palimpsest engines use topic-window

Engines are found in this order: those that come with this program, folders in
plugins/context_engine/ beside config.yaml, folders in plugins/context_engine/ of your own folder
($PALIMPSEST_HOME, else ~/.local/state/palimpsest), packages that package.json beside config.yaml depends on.
A found engine does not run by itself: context.engine in a config.yaml, or --engine, chooses one.

The config.yaml of your own folder is read first; the one in the current folder wins, key by key.
With --config only that file is read.`

interface Flags {
  readonly config?: string
  readonly json?: boolean
}

export function enginesCommand(): Command {
  const engines = new Command('engines')
    .description('Lists the available context engines, and chooses one.')
    .addHelpText('after', EXAMPLES)
  const subcommand = (name: string, description: string) =>
    engines
      .command(name)
      .description(description)
      .option('--json', 'print JSON')
      .option(...CONFIG_OPTION)
  const configOf = async ({ config }: Flags) => {
    const { readConfigFile } = await import('../engines/configuration.ts')
    return readConfigFile(config, process.cwd())
  }

  subcommand('list', 'All engines: version, source, and whether they work. Loads none of them.').action(
    async (flags: Flags) => {
      const { listEngines } = await import('../engines/list-engines.ts')
      process.stdout.write(await listEngines(await configOf(flags), flags))
    },
  )
  subcommand('use', 'Writes the engine into config.yaml, and changes nothing else there.')
    .argument('<name>', 'an engine or a package')
    .action(async (name: string, flags: Flags) => {
      const { useEngine } = await import('../engines/use-engine.ts')
      await useEngine(flags.config, name, flags)
    })
  return engines
}
