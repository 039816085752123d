import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The parts of a `package.json` that these tests look at. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly scripts?: Readonly<Record<string, string>>
  readonly bin?: string | Readonly<Record<string, string>>
  readonly types?: string
  readonly main?: string
  readonly exports?: unknown
  readonly contextEngine?: { readonly entry?: string }
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/** The manifest of the package in `folder`. */
export async function readManifest(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
}
