import { assistant, type LabelledConversation, none, talk, user } from '../conversation.ts'
import { accept, assert, maybe, pick, propose, retract, rule } from '../label.ts'

/** Typing errors, long messages, pasted text around one decision. */
export const registers: readonly LabelledConversation[] = [
  talk('dev-registers-1', 'en', [
    user('lets use postgress for teh db ok', assert('datastore', 'postgress')),
    none('question', 'wat about mongo tho?'),
    assistant('MongoDB would work too, but you need joins.'),
    user('k stick w postgres', maybe(assert('datastore', 'postgres'))),
    user('pls dont ever push to main directly', rule('push to main')),
    none('statement', 'brb lunch'),
  ]),
  talk('dev-registers-2', 'en', [
    user(
      'I have been thinking about what we discussed this morning. The old importer reads the file line by line, which was acceptable while the files were small; they no longer are, and last week one of them had four million rows. I looked at a few options, talked to the people who produce the files, and read through the issue tracker. Nobody can change the format before summer. Having said all that, we will parse the files with DuckDB, and chunks are 50,000 rows each. Everything else in the importer stays as it is. By the way, the office will be closed on Friday.',
      maybe(assert('datastore', 'DuckDB')),
      maybe(assert('any', 'DuckDB')),
      assert('setting:chunks', '50,000'),
    ),
    assistant('Understood. I will leave the rest alone.'),
    none(
      'statement',
      'Here is the background, you do not need to do anything yet. Customers upload spreadsheets, some of them use Excel, some use LibreOffice, and a few export from SAP. The support team keeps a list of broken files. The list is long. We tried to teach customers, which went as you would expect.',
    ),
    none('question', 'Could you tell me which of these programs write a byte order mark?'),
    user(
      'Summary of the call, these are my own decisions:\n- Excel uploads are rejected\n- encoding is always UTF-8\n- max file size 200 MB',
      maybe(rule('Excel uploads')),
      maybe(rule('UTF-8')),
      maybe(assert('any', 'UTF-8')),
      assert('setting:file-size', '200 MB'),
    ),
  ]),
  talk('dev-registers-3', 'en', [
    user(
      'this error again:\n\n```\nsqlite3.OperationalError: database is locked\n  using journal_mode=delete\n```\n\nok enough, let’s move from SQLite to Postgres.',
      assert('datastore', 'Postgres', { replaces: 'SQLite' }),
    ),
    assistant('I will write the migration with Alembic, if that is fine.', propose('any', 'Alembic')),
    user('yes 👍', accept('any', 'Alembic')),
    none(
      'transcript',
      'slack:\n  dana  11:02  can we use Mongo?\n  eli  11:03  let’s use Mongo!\n  dana  11:03  done\nthey are talking about a different product, ignore',
    ),
    user('lol no. what I want: HTMX, no SPA.', assert('frontend', 'HTMX'), maybe(rule('no SPA'))),
    none('hypothetical', "I'd use React if I had ten developers."),
    assistant(
      'With HTMX, Alpine.js for the small things? Or vanilla JavaScript?',
      maybe(propose('frontend', 'Alpine.js')),
      maybe(propose('any', 'Alpine.js')),
      maybe(propose('any', 'vanilla JavaScript')),
    ),
    user('the second', accept('any', 'vanilla JavaScript')),
    none('negation', "that doesn't mean we use no JavaScript library at all"),
    user(
      'Oh and we cancelled the Elasticsearch cluster, search is not needed any more.',
      retract('any', 'Elasticsearch'),
    ),
    none('question', 'Did I ever say that we use Elasticsearch?'),
    assistant('Not in this conversation, until just now.'),
  ]),
  talk('dev-registers-4', 'en', [
    none('joke', 'ok so it was the ghost of sprint 12'),
    none('statement', 'using the app on a train is no fun'),
    user('Cookie lifetime = 14d', assert('setting:cookie-lifetime', '14d')),
    assistant(
      'I set it to 14 days. Should I also switch the session store to Redis?',
      propose('any', 'Redis'),
    ),
    none('undecided', 'later maybe'),
    user('hmm, actually yes, redis for sessions', pick('any', 'redis', { area: 'sessions' })),
  ]),
]
