import fc from 'fast-check'

/**
 * Runs a property and prints how many generated cases it ran: the line that says what "property-tested" means.
 * A case that fails throws, so a printed line has no violations.
 */
export async function counted<Values>(
  claim: string,
  property: fc.IProperty<Values> | fc.IAsyncProperty<Values>,
  numRuns: number,
  cases = 'conversations',
): Promise<void> {
  await fc.assert(property as fc.IAsyncProperty<Values>, { numRuns })
  process.stdout.write(`${claim}: ${numRuns} ${cases}, 0 violations\n`)
}
