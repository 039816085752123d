import { UsageError } from './usage-error.ts'

export async function confirmed(message: string, advice: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) throw new UsageError(advice)
  const { confirm } = await import('@clack/prompts')
  return (await confirm({ message, initialValue: false })) === true
}
