import { equal, ok } from 'node:assert/strict'
import type { Warning } from '@palimpsest/core'
import type { DiscoveryUnderTest } from './discovery-target.ts'

/** Fails when a choice is not the engine with this mark, or not without warnings. */
export async function expectEngine(
  discovery: DiscoveryUnderTest,
  choice: string,
  mark: string,
): Promise<void> {
  const { definition, warnings } = await discovery.resolve(choice)
  equal(
    definition.description,
    mark,
    `"${choice}" should be the engine ${mark}; it is ${definition.name} (${definition.description})${told(warnings)}`,
  )
  equal(warnings.length, 0, `"${choice}" should be resolved without a warning${told(warnings)}`)
}

/** Fails when a choice is not the built-in compressor: an engine of that name that leaves no mark. */
export async function expectCompressor(
  discovery: DiscoveryUnderTest,
  choice: string,
  marks: readonly string[] = [],
): Promise<readonly Warning[]> {
  const { definition, warnings } = await discovery.resolve(choice)
  equal(definition.name, 'compressor', `"${choice}" should give the built-in compressor`)
  ok(
    !marks.includes(definition.description),
    `"${choice}" should give the built-in compressor; it gives the engine ${definition.description}`,
  )
  return warnings
}

/** Fails when no warning about a choice has all these texts in it. */
export async function expectWarning(
  discovery: DiscoveryUnderTest,
  choice: string,
  ...texts: readonly string[]
): Promise<void> {
  const { warnings } = await discovery.resolve(choice)
  ok(
    warnings.some(({ message }) => texts.every((text) => message.includes(text))),
    `a warning about "${choice}" should say ${texts.map((text) => JSON.stringify(text)).join(' and ')}${told(warnings)}`,
  )
}

/** Fails when a strict host does not refuse a choice with an error that programs can tell. */
export async function expectRefusal(discovery: DiscoveryUnderTest, choice: string): Promise<void> {
  let refusal: unknown
  try {
    const { definition } = await discovery.resolve(choice, { strict: true })
    refusal = `the engine ${definition.name}`
  } catch (error) {
    const code: unknown = Object(error).code
    if (typeof code === 'string' && /^[A-Z]+(?:_[A-Z]+)*$/.test(code)) return
    refusal = error
  }
  throw new Error(`resolve("${choice}", { strict: true }) should reject with a coded error; got ${refusal}`)
}

/** Fails when an engine is not in the list as one that cannot be used, with the reason. */
export async function expectReason(
  discovery: DiscoveryUnderTest,
  isMeant: (engine: { readonly name: string; readonly source: string }) => boolean,
): Promise<void> {
  const engines = await discovery.list()
  const found = engines.find((engine) => isMeant(engine))
  ok(found, `the list should name it; it has ${engines.map(({ name }) => name).join(', ')}`)
  equal(found.available, false, `"${found.name}" should not be available`)
  ok((found.reason ?? '').trim() !== '', `the list should say why "${found.name}" is not available`)
}

function told(warnings: readonly Warning[]): string {
  return warnings.length === 0
    ? '; there was no warning'
    : `; warned: ${warnings.map(({ message }) => message).join('; ')}`
}
