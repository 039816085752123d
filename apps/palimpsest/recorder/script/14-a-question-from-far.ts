import { act, type Episode, run, say, search, shows, user } from '../steps.ts'

/** A question about what was decided hundreds of messages ago. */
export const aQuestionFromFar: Episode = [
  user(`
    Stop for a moment, I have finance on the phone. Two questions. Why do we import in batches of 200 and not 500, the new disk
    would take it? And which port do they have to open in the firewall, did we ever change it?
  `),
  act('Both were settled early on; I check that the code still says the same.', shows(search('BATCH_SIZE =|DEFAULT_PORT =|stalled', 'src'), 'BATCH_SIZE = 200', 'DEFAULT_PORT = 8471')),
  say(`
    - **200**, for two reasons, both yours: 500 stalled the service for seconds on the old machine, and the bank's export comes in pages of 200,
      so an import that breaks off breaks off at the end of a page. A faster disk removes the first reason but not the second. I would leave it.
    - **8471**, never changed. It is the default because the accountants' tool has it built in. \`TALLY_PORT\` can override it, for a test
      machine for instance.
  `),
  user('And the 500 euro for signatures, was that "from" or "above"? They argue about exactly 500.00.'),
  say('From. Exactly €500.00 needs a signature, and so do exactly ¥75,000; the tests pin both borders. Refunds need none, whatever their size: you decided that right after.'),
  user('They owe me a coffee. Carry on. But one more check before the next feature: does anything still use floating point? You have written a lot since.'),
  act(
    null,
    shows(search('toFixed|parseFloat|Math\\.round|/ 100\\b', 'src'), 'no matches'),
    shows(
      run(
        `node --input-type=module -e 'import { DatabaseSync } from "node:sqlite"; const db = new DatabaseSync("data/tally.db"); console.log(db.prepare("SELECT typeof(amount) AS type, count(*) AS entries FROM entries GROUP BY 1").all())'`,
      ),
      "type: 'integer', entries: 354",
    ),
  ),
  say('No. Nothing in `src` divides or rounds an amount, and the database says the same of what it holds: 354 amounts, all of type integer.'),
]
