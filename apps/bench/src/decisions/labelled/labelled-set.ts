import type { LabelledConversation } from './conversation.ts'
import { backend as devBackend } from './dev/backend.ts'
import { devices as devDevices } from './dev/devices.ts'
import { languages as devLanguages } from './dev/languages.ts'
import { library as devLibrary } from './dev/library.ts'
import { mobile as devMobile } from './dev/mobile.ts'
import { operations as devOperations } from './dev/operations.ts'
import { registers as devRegisters } from './dev/registers.ts'
import { science as devScience } from './dev/science.ts'
import { backend } from './held-out/backend.ts'
import { devices } from './held-out/devices.ts'
import { languages } from './held-out/languages.ts'
import { library } from './held-out/library.ts'
import { mobile } from './held-out/mobile.ts'
import { operations } from './held-out/operations.ts'
import { registers } from './held-out/registers.ts'
import { science } from './held-out/science.ts'

/** `dev` may be looked at while an extractor is written; `held-out` may not, so that its figures mean something. */
export type Part = 'dev' | 'held-out'

/** The labelled conversations: both parts have the same kinds of them, in other words. */
export const LABELLED_SET: Readonly<Record<Part, readonly LabelledConversation[]>> = {
  dev: [
    ...devBackend,
    ...devScience,
    ...devMobile,
    ...devOperations,
    ...devDevices,
    ...devLibrary,
    ...devLanguages,
    ...devRegisters,
  ],
  'held-out': [
    ...backend,
    ...science,
    ...mobile,
    ...operations,
    ...devices,
    ...library,
    ...languages,
    ...registers,
  ],
}
