import { relative } from 'node:path'
import { colors } from '../colors.ts'
import { CHOICE, type ConfigFile, tellFaults } from './configuration.ts'
import { columns, describeEntry } from './engine-lines.ts'

/** Faults of the configuration go to stderr, because the list helps to fix them. */
export async function listEngines(
  file: ConfigFile,
  { json = false }: { readonly json?: boolean },
): Promise<string> {
  const { path, exists, user, choice, isNamed, fileOf, discovery } = file
  const engines = await discovery.list({ choice })
  tellFaults(file, engines)
  const chosenIn = isNamed ? fileOf(...CHOICE) : null
  if (json) {
    const files = { config: exists ? path : null, user: user?.path ?? null, chosenIn }
    return `${JSON.stringify({ choice, ...files, engines }, undefined, 2)}\n`
  }
  const rows = engines.map((entry) => [
    entry.chosen ? '*' : ' ',
    entry.name,
    entry.version ?? '-',
    entry.source === 'none' ? '-' : entry.source,
    describeEntry(entry),
  ])
  const unnamed = [...(exists ? [path] : []), ...(user === undefined ? [] : [user.path])].map(shown)
  const from =
    chosenIn === null
      ? `the default: ${unnamed.length === 0 ? 'there is no config.yaml' : `${unnamed.join(' and ')} ${unnamed.length === 1 ? 'names' : 'name'} no engine`}`
      : `chosen in ${shown(chosenIn)}`
  const others = chosenIn === null ? `${colors.dim(SERVE_DEFAULT)}\n` : ''
  return `${columns([[' ', 'NAME', 'VERSION', 'SOURCE', 'DESCRIPTION'], ...rows])}\n${colors.dim(`* ${from}`)}\n${others}`
}

const SERVE_DEFAULT = '  palimpsest serve runs decisions over lcm when no engine is named'

function shown(path: string): string {
  const way = relative(process.cwd(), path)
  return way === '' || way.startsWith('..') ? path : way
}
