import type { ContractCase } from '../contract-case.ts'
import { abortCases } from './abort.ts'
import { contentCases } from './content.ts'
import { failureCases } from './failure.ts'
import { keptCases } from './kept.ts'
import { determinismCases } from './laws/determinism.ts'
import { pastCases } from './laws/past.ts'
import { projectionCases } from './laws/projection.ts'
import { purityCases } from './laws/purity.ts'
import { secretsCases } from './laws/secrets.ts'
import { smallerCases } from './laws/smaller.ts'
import { sessionCases } from './laws/walk-session.ts'
import { lifecycleCases } from './lifecycle.ts'
import { losslessCases } from './lossless.ts'
import { persistenceCases } from './persistence.ts'
import { sequenceCases } from './sequence.ts'
import { stateCases } from './state.ts'
import { summaryCases } from './summary.ts'
import { toolCases } from './tools.ts'

/** Every case of the contract of engines, in the order of their ids. */
export const contractCases: readonly ContractCase[] = [
  ...stateCases,
  ...sequenceCases,
  ...contentCases,
  ...keptCases,
  ...summaryCases,
  ...failureCases,
  ...abortCases,
  ...lifecycleCases,
  ...toolCases,
  ...persistenceCases,
  ...losslessCases,
  ...determinismCases,
  ...pastCases,
  ...projectionCases,
  ...purityCases,
  ...secretsCases,
  ...smallerCases,
  ...sessionCases,
].toSorted((one, other) => one.id.localeCompare(other.id))
