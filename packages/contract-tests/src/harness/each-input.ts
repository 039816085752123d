export async function eachInput<Input>(
  inputs: Readonly<Record<string, Input>>,
  claim: (input: Input) => Promise<void> | void,
): Promise<void> {
  for (const [name, input] of Object.entries(inputs)) {
    try {
      await claim(input)
    } catch (error) {
      const found = error instanceof Error ? error.message : String(error)
      throw new Error(`with ${name}: ${found}`, { cause: error })
    }
  }
}
