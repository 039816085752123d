import { Argument, Command, CommanderError } from 'commander'

const AGENTS = ['claude-code', 'codex'] as const

export type HookAgent = (typeof AGENTS)[number]

export function hookCommand(): Command {
  return new Command('hook')
    .exitOverride((error) => {
      if (error.code !== 'commander.missingArgument') throw error
      throw new CommanderError(error.exitCode, error.code, `${error.message} (${AGENTS.join(', ')})`)
    })
    .description("Called by a coding agent: restores facts that the agent's own compaction lost.")
    .addArgument(new Argument('<agent>', 'the coding agent').choices(AGENTS))
    .action(async () => {
      const { runHook } = await import('../hook/run-hook.ts')
      process.stdout.write(await runHook(process.stdin, process.env))
    })
}
