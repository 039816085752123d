import { Option } from 'commander'
import { parseBudgets } from './parse-options.ts'

/** What is compared at, unless other budgets are asked for: those of the literature, in tokens. */
const BUDGETS = [8_000, 16_000, 40_000]

/** `--budgets`. */
export function budgetsOption(): Option {
  return new Option('--budgets <list>', 'tokens that the messages of a prompt may take')
    .argParser(parseBudgets)
    .default(BUDGETS, BUDGETS.join())
}
