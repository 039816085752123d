import { codex } from './codex.ts'
import { describeClient } from './scenarios.ts'

describeClient(codex)
