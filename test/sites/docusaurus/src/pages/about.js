import React from 'react'; import Layout from '@theme/Layout';
export default () => <Layout title="About" description="About us"><main><h1>About kettles</h1><p>A React page with a text of its own, made by hand.</p></main></Layout>;
