import { opencode } from './opencode.ts'
import { describeClient } from './scenarios.ts'

describeClient(opencode)
