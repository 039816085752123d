import type { EngineDiscovery } from '@palimpsest/core/discovery'
import { UsageError } from '../usage-error.ts'
import type { ConfigFile } from './configuration.ts'
import { columns } from './engine-lines.ts'

/**
 * What is known of one engine without loading it.
 *
 * @throws UsageError when there is none of that name.
 */
export async function infoEngine(
  { choice, path, exists, discovery }: ConfigFile,
  name: string,
  { json = false }: { readonly json?: boolean },
): Promise<string> {
  const entry = await discovery.find(name)
  if (entry === undefined) throw await unknownEngine(discovery, name)
  const chosen = (await discovery.find(choice))?.name === entry.name
  if (json) return `${JSON.stringify({ ...entry, chosen }, undefined, 2)}\n`
  const rows: [string, string | undefined][] = [
    ['name', entry.name],
    ['version', entry.version],
    ['description', entry.description],
    ['source', entry.source],
    ['location', entry.location],
    ['contract', entry.apiVersion === undefined ? undefined : `version ${entry.apiVersion}`],
    ['available', entry.available ? 'yes' : `no: ${entry.reason}`],
    ['chosen', chosen ? yes(exists, path) : `no; palimpsest engines use ${name}`],
    ['options', `the block "${entry.name}:" of config.yaml`],
  ]
  return columns(rows.flatMap(([label, value]) => (value === undefined ? [] : [[label, value]])))
}

function yes(exists: boolean, path: string): string {
  return exists ? `yes, in ${path}` : 'yes, by default'
}

/** The error for a name that nothing has. */
export async function unknownEngine(discovery: EngineDiscovery, name: string): Promise<UsageError> {
  const names = (await discovery.list()).filter(({ available }) => available).map((entry) => entry.name)
  return new UsageError(`there is no engine "${name}"; there is: ${names.join(', ')}`)
}
