import { type Candidate, type EntryFacts, unavailable } from './candidate.ts'
import { assertApiVersion, type EngineManifest } from './engine-manifest.ts'
import { findEntryFile } from './entry-file.ts'
import { importEngine } from './import-engine.ts'
import { oneLine } from './one-line.ts'

export interface ModuleCandidateInput {
  readonly facts: EntryFacts
  readonly manifest: EngineManifest
  /** The plugin's folder, a real path. */
  readonly folder: string
  /** The folder in which packages that it misses would be installed. */
  readonly installIn: string
}

/** The candidate that a manifest describes, with a look at whether its module is there. */
export async function moduleCandidate(input: ModuleCandidateInput): Promise<Candidate> {
  const { folder, installIn } = input
  const { name, version, description, apiVersion, entry } = input.manifest
  const facts: EntryFacts = {
    ...input.facts,
    name,
    apiVersion,
    ...(version !== undefined && { version: oneLine(version) }),
    ...(description !== undefined && { description: oneLine(description) }),
  }
  try {
    assertApiVersion(apiVersion)
    const file = await findEntryFile(folder, entry)
    return { entry: { ...facts, available: true }, claim: name, load: () => importEngine(file, installIn) }
  } catch (error) {
    return unavailable(facts, error, name)
  }
}
