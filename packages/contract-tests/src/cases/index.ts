import type { ContractCase } from '../contract-case.ts'
import { abortCases } from './abort.ts'
import { contentCases } from './content.ts'
import { failureCases } from './failure.ts'
import { keptCases } from './kept.ts'
import { determinismCases } from './laws/determinism.ts'
import { failureLawCases } from './laws/failure.ts'
import { interleavingCases } from './laws/interleavings.ts'
import { pastCases } from './laws/past.ts'
import { projectionCases } from './laws/projection.ts'
import { purityLawCases } from './laws/purity.ts'
import { secretsCases } from './laws/secrets.ts'
import { selectionCases } from './laws/selection.ts'
import { smallerCases } from './laws/smaller.ts'
import { transcriptCases } from './laws/transcript.ts'
import { sessionCases } from './laws/walk-session.ts'
import { lifecycleCases } from './lifecycle.ts'
import { losslessCases } from './lossless.ts'
import { originCases } from './origins.ts'
import { persistenceCases } from './persistence.ts'
import { purityCases } from './purity.ts'
import { readCases } from './read.ts'
import { sequenceCases } from './sequence.ts'
import { shapeCases } from './shape.ts'
import { optionCases, statusCases } from './status.ts'
import { summaryCases } from './summary.ts'
import { toolPairCases } from './tool-pairs.ts'
import { toolCases } from './tools.ts'
import { triggerCases } from './trigger.ts'
import { usageCases } from './usage.ts'
import { windowCases } from './windows.ts'

const groups: readonly (readonly ContractCase[])[] = [
  shapeCases,
  usageCases,
  triggerCases,
  sequenceCases,
  toolPairCases,
  purityCases,
  contentCases,
  failureCases,
  readCases,
  abortCases,
  lifecycleCases,
  toolCases,
  persistenceCases,
  losslessCases,
  statusCases,
  optionCases,
  keptCases,
  windowCases,
  summaryCases,
  originCases,
  determinismCases,
  failureLawCases,
  interleavingCases,
  pastCases,
  projectionCases,
  purityLawCases,
  secretsCases,
  selectionCases,
  smallerCases,
  transcriptCases,
  sessionCases,
]

/** Every case of the contract of engines, in the order of their ids. */
export const contractCases: readonly ContractCase[] = groups
  .flat()
  .toSorted((one, other) => one.id.localeCompare(other.id, 'en', { numeric: true }))
