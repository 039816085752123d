import { readFile } from 'node:fs/promises'

/** Of the bench's dependencies, those whose figures are measured. */
const MEASURED = /^(@palimpsest\/|langchain$|@langchain\/|ai$)/

/**
 * Versions of Node, of its SQLite and of the packages that the report is about.
 *
 * @param root the bench's folder, with a slash at its end.
 */
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
