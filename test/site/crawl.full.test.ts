import { publishCorpus } from '../support/publish-corpus.ts';
import { describeWithCorpora } from '../support/tools.ts';
import { checkSite } from './support/check-site.ts';

describeWithCorpora('a crawler finds, in 28 languages, that', () => {
  checkSite(() => publishCorpus('opensource-guide'));
});
