export const ENDS = {
  stopped: 'stopped',
  'cut-off': 'the answer was cut off at the limit of the model; "go on" may bring the rest',
  'too-many-rounds': 'stopped after too many rounds of tools; "go on" lets it go on',
} as const
