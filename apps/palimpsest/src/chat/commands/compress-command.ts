import { describeCompaction } from '../terminal/describe-compaction.ts'
import type { ChatCommand } from './chat-command.ts'

export const compressCommand: ChatCommand = {
  name: 'compress',
  argument: '[focus]',
  help: 'compacts the context now; the focus says what the summary should dwell on',
  async run(argument, { agent, signal, print }) {
    print(describeCompaction(await agent.compress(argument || undefined, signal)))
  },
}
