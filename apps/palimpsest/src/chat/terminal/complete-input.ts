import { type AutocompleteProvider, CombinedAutocompleteProvider } from '@earendil-works/pi-tui'
import type { ChatCommand } from '../commands/chat-command.ts'
import { safeLine } from './safe-text.ts'

/** Completes commands behind a slash, and paths of the workspace. */
export function completeInput(commands: readonly ChatCommand[], workspace: string): AutocompleteProvider {
  const all = new CombinedAutocompleteProvider(
    commands.map(({ name, argument, help }) => ({
      name,
      description: help,
      ...(argument !== undefined && { argumentHint: argument }),
    })),
    workspace,
  )
  return {
    async getSuggestions(...call) {
      const found = await all.getSuggestions(...call)
      if (found === null) return null
      // A file may have any name, also one that a terminal would obey.
      const items = found.items.filter(({ value, label }) => safeLine(value + label) === value + label)
      return items.length === 0 ? null : { ...found, items }
    },
    applyCompletion: (...call) => all.applyCompletion(...call),
    shouldTriggerFileCompletion: (...call) => all.shouldTriggerFileCompletion(...call),
  }
}
