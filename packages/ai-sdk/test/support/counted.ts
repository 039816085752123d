import fc from 'fast-check'

/** Runs a property and prints how many generated cases it ran. A case that fails throws. */
export async function counted<Values>(
  claim: string,
  property: fc.IProperty<Values> | fc.IAsyncProperty<Values>,
  numRuns: number,
): Promise<void> {
  await fc.assert(property as fc.IAsyncProperty<Values>, { numRuns })
  process.stdout.write(`${claim}: ${numRuns} conversations, 0 violations\n`)
}
