project = 'Kettle docs'; author = 'Ann'; extensions = ['myst_parser', 'sphinx_copybutton', 'sphinx_inline_tabs', 'sphinx.ext.mathjax']
myst_enable_extensions = ['colon_fence', 'tasklist']; html_baseurl = 'https://docs.example.com/'; html_last_updated_fmt = '%Y-%m-%d'; html_copy_source = True
