import { Option } from 'commander'
import { parseBudgets, parseNames, parseNumber } from './parse-options.ts'

/** Budgets that arms are compared at by default, in tokens: those of the literature. */
const BUDGETS = [8_000, 16_000, 40_000]
const SEEDS = 8

/** `--budgets`. */
export function budgetsOption(): Option {
  return new Option('--budgets <list>', 'tokens that the messages of a prompt may take')
    .argParser(parseBudgets)
    .default(BUDGETS, BUDGETS.join())
}

/** `--engines`. */
export function enginesOption(): Option {
  return new Option('--engines <names>', 'engines and peers, beside the bounds (default: all)').argParser(
    parseNames,
  )
}

/** `--seeds`. */
export function seedsOption(): Option {
  return new Option('--seeds <number>', 'how many generated dialogues').argParser(parseNumber).default(SEEDS)
}
