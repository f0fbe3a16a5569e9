import { describeWithCorpora } from '../support/tools.ts';
import { buildFiles, readCorpus } from './support/build-files.ts';
import { checkSite } from './support/check-site.ts';

describeWithCorpora('a crawler finds, in 28 languages, that', () => {
  checkSite(() => buildFiles(readCorpus('opensource-guide')));
});
