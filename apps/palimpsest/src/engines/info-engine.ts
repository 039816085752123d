import type { EngineDiscovery, EngineEntry } from '@palimpsest/core/discovery'
import { optionsBlock } from './choose-engine.ts'
import { CHOICE, type ConfigFile } from './configuration.ts'
import { columns } from './engine-lines.ts'

/**
 * The facts about one engine, without loading it.
 *
 * @throws UnknownEngineError when there is none of that name.
 */
export async function infoEngine(
  { choice, fileOf, isNamed, discovery }: ConfigFile,
  name: string,
  { json = false }: { readonly json?: boolean },
): Promise<string> {
  const entry = await findEngine(discovery, name)
  const chosen = (await discovery.find(choice))?.name === entry.name
  if (json) return `${JSON.stringify({ ...entry, chosen }, undefined, 2)}\n`
  const rows: [string, string | undefined][] = [
    ['name', entry.name],
    ['version', entry.version],
    ['description', entry.description],
    ['source', entry.source],
    ['location', entry.location],
    ['apiVersion', entry.apiVersion === undefined ? undefined : String(entry.apiVersion)],
    ['available', entry.available ? 'yes' : `no: ${entry.reason}`],
    ['chosen', chosen ? yes(isNamed, fileOf(...CHOICE)) : `no; palimpsest engines use ${name}`],
    ['options', `the block "${optionsBlock(entry.name)}:" of config.yaml`],
  ]
  return columns(rows.flatMap(([label, value]) => (value === undefined ? [] : [[label, value]])))
}

function yes(isNamed: boolean, path: string): string {
  return isNamed ? `yes, in ${path}` : 'yes, by default'
}

/**
 * The engine of that name, or of that package.
 *
 * @throws UnknownEngineError that says which name was probably meant.
 */
export async function findEngine(discovery: EngineDiscovery, name: string): Promise<EngineEntry> {
  // Nothing has a name that `find` does not know, so nothing is loaded: `resolve` throws.
  return (await discovery.find(name)) ?? (await discovery.resolve(name, { strict: true })).entry
}
