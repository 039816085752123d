import { readFile } from 'node:fs/promises'
import { availableParallelism, cpus, release, totalmem } from 'node:os'

export interface Made {
  /** The call that makes it again. The folder of the sessions is there by its last name. */
  readonly command: string
  /** ISO 8601, without the time. */
  readonly date: string
  readonly machine: Machine
  /** Of Node, SQLite, and the packages that are measured. */
  readonly versions: Readonly<Record<string, string>>
}

export interface Machine {
  readonly cpu: string
  readonly cores: number
  /** In bytes. */
  readonly memory: number
  readonly platform: string
}

export function describeMachine(): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memory: totalmem(),
    platform: `${process.platform} ${process.arch}, ${release()}`,
  }
}

const MEASURED = /^(@palimpsest\/|langchain$|@langchain\/|ai$)/

/** Versions of Node, its SQLite and the measured packages. `root`: the bench's folder, with a slash at its end. */
export async function readVersions(root: URL): Promise<Record<string, string>> {
  const { dependencies = {} } = await readManifest(root)
  const names = Object.keys(dependencies)
    .filter((name) => MEASURED.test(name))
    .sort()
  const packages = await Promise.all(
    names.map(async (name): Promise<[string, string]> => {
      const { version = 'unknown' } = await readManifest(new URL(`node_modules/${name}/`, root))
      return [name, version]
    }),
  )
  return {
    node: process.versions.node,
    sqlite: process.versions.sqlite ?? 'none',
    ...Object.fromEntries(packages),
  }
}

interface Manifest {
  readonly version?: string
  readonly dependencies?: Readonly<Record<string, string>>
}

async function readManifest(folder: URL): Promise<Manifest> {
  return JSON.parse(await readFile(new URL('package.json', folder), 'utf8'))
}
