import type { EngineDefinition } from '@palimpsest/core'
import type { EngineDiscovery } from '@palimpsest/core/discovery'
import type { DiscoveryTarget, DiscoveryUnderTest } from '../../src/index.ts'
import { coreDiscovery } from './core-discovery.ts'

/** Core's discovery with one mistake in it. */
export interface BrokenDiscovery {
  /** The author's mistake, in plain words. */
  readonly name: string
  /** The cases that it must fail, in the order of the suite. It passes all others. */
  readonly fails: readonly string[]
  readonly target: DiscoveryTarget
}

export type Resolved = Awaited<ReturnType<DiscoveryUnderTest['resolve']>>

/** Members that do something else than those of core's discovery for the application in `root`. */
export type Mistake = (right: EngineDiscovery, root: string) => Partial<DiscoveryUnderTest>

/** A broken discovery: the name of the mistake, the cases that find it, and the mistake. */
export function broken(name: string, fails: string, mistake: Mistake): BrokenDiscovery {
  const create = ({ root }: { readonly root: string }): DiscoveryUnderTest => {
    const right = coreDiscovery(root)
    return { ...right, ...mistake(right, root) }
  }
  return { name, fails: fails.split(' '), target: { name, create } }
}

/** The result of a resolution without any check. */
export async function resolvedTo(url: string): Promise<Resolved> {
  const { default: definition } = (await import(url)) as { readonly default: EngineDefinition }
  return { definition, warnings: [] }
}
