// Generated from docs/openapi.json by generated-client.full.test.ts.

export interface paths {
  "/article": {
    /** List articles of all statuses. With `format=list`, the response is that of readSourcePage. */
    get: operations["listArticles"];
    /** Create an article. It is a draft unless `is_published` is `true`. */
    post: operations["createArticle"];
  };
  "/source": {
    /** Extension: return all public articles as one document. GET /article with `format=list` does the same. */
    get: operations["readSourcePage"];
  };
  "/article/{article_id}": {
    /** Read one article with its bodies. */
    get: operations["readArticle"];
    /** Delete an article with its translations and views. */
    delete: operations["deleteArticle"];
    /** Change the fields that are sent, and the languages that `multilingual` names. */
    patch: operations["updateArticle"];
  };
  "/search": {
    /** Search titles, descriptions, tags and texts; best first. */
    get: operations["search"];
  };
  "/category": {
    /** List all categories. */
    get: operations["listCategories"];
    /** Create a category. */
    post: operations["createCategory"];
  };
  "/category/{category_id}": {
    /** Read one category. */
    get: operations["readCategory"];
    /** Change the fields that are sent, and the languages that `multilingual` names. */
    patch: operations["updateCategory"];
  };
  "/stats/article": {
    /** Return the views of each article in a timeframe. */
    get: operations["readStatistics"];
  };
  "/v1/stats/article": {
    /** Return the views of each article in a timeframe. */
    get: operations["readStatisticsAtOtherPath"];
  };
  "/stats/article/{article_id}": {
    /** Extension: add views of an article to one day. */
    post: operations["countViews"];
  };
  "/v1/stats/article/{article_id}": {
    /** Extension: add views of an article to one day. */
    post: operations["countViewsAtOtherPath"];
  };
  "/stats/search": {
    /** Extension: return the searches in which readers found nothing. */
    get: operations["readSearches"];
    /** Extension: counts a search without a result. */
    post: operations["countSearch"];
  };
  "/stats/feedback": {
    /** Extension: return how many readers an article helped, and what they wrote. */
    get: operations["readFeedback"];
    /** Extension: counts the answer of a reader to "Was this article helpful?". */
    post: operations["countFeedback"];
  };
}

export type webhooks = Record<string, never>;

export interface components {
  schemas: {
    Article: {
      article_id: components["schemas"]["ArticleId"];
      account_id: string;
      /** @description Id of its category. */
      category_id: string | null;
      title: string;
      slug: string;
      /** @description Plain text. */
      description: string | null;
      /** @description HTML of a shorter version of the article. */
      short_version: string | null;
      tags: string[];
      /** @description `false`: a draft. */
      is_published: boolean;
      /** @description `true`: not public. The published site leaves it out, also for readers who know its link. */
      is_private: boolean;
      /** @description If not empty, only these groups may read the article. */
      permission_groups: string[] | null;
      /** @description Extension: not public before this time. ISO 8601 with a zone. */
      publish_at: string | null;
      /** @description Extension: not public from this time on; later than `publish_at`. ISO 8601 with a zone. */
      unpublish_at: string | null;
      is_featured: boolean;
      show_toc: boolean;
      sort_order: number | null;
      /** @description HTML. The first 200000 characters of its text can be searched. */
      body?: string;
      /** @description ISO 8601, e.g. `2026-01-31T12:00:00.000Z`. */
      created_at: string;
      /** @description ISO 8601, e.g. `2026-01-31T12:00:00.000Z`. */
      updated_at: string;
      multilingual: ({
          /** @description BCP 47 language tag, e.g. `de` or `pt-BR`. */
          language_code: string;
          title: string | null;
          /** @description Created from the title if none is given. */
          slug: string | null;
          description: string | null;
          /** @description HTML. */
          body?: string | null;
          /** @description `false`: this translation is not public. */
          is_live: boolean;
          /** @description Extension: not public before this time. ISO 8601 with a zone. */
          publish_at: string | null;
          /** @description Extension: not public from this time on; later than `publish_at`. ISO 8601 with a zone. */
          unpublish_at: string | null;
        })[];
      /** @description Calculated: URL of the site and `relative_url`. */
      url: string;
      /** @description Calculated: `/article/<id>-<slug>`. */
      relative_url: string;
    };
    ArticleCreate: {
      /** @description Id of its category. */
      category_id?: string | null;
      title: string;
      /** @description Created from the title if empty or `null`. */
      slug?: string | null;
      /** @description Plain text. */
      description?: string | null;
      /** @description HTML of a shorter version of the article. */
      short_version?: string | null;
      tags?: string[];
      /** @description `false`: a draft. */
      is_published?: boolean;
      /** @description `true`: not public. The published site leaves it out, also for readers who know its link. */
      is_private?: boolean;
      /** @description If not empty, only these groups may read the article. */
      permission_groups?: string[] | null;
      /** @description Extension: not public before this time. ISO 8601 with a zone. */
      publish_at?: string | null;
      /** @description Extension: not public from this time on; later than `publish_at`. ISO 8601 with a zone. */
      unpublish_at?: string | null;
      is_featured?: boolean;
      show_toc?: boolean;
      sort_order?: number | null;
      /** @description HTML. The first 200000 characters of its text can be searched. */
      body?: string;
      account_id?: unknown;
      user_id?: unknown;
      url?: unknown;
      relative_url?: unknown;
      version_number?: unknown;
      is_current_version?: unknown;
      editor_type?: unknown;
      stale_status?: unknown;
      author?: unknown;
      multilingual?: components["schemas"]["ArticleMultilingualChange"][];
      /** @description Extension, for imports: the id to use, if it is free. */
      article_id?: components["schemas"]["ArticleId"];
      /** @description Extension, for imports. */
      created_at?: string;
      /** @description Extension, for imports. */
      updated_at?: string;
    };
    ArticleFeedback: {
      article_id: components["schemas"]["ArticleId"];
      title: string;
      /** @description BCP 47 language tag, e.g. `de` or `pt-BR`. */
      language_code: string;
      /** @description Number of readers whom it helped. */
      helpful: number;
      /** @description Number of readers whom it did not help. */
      unhelpful: number;
      /** @description What they wrote, newest first, without e-mail addresses and long numbers. */
      texts: string[];
    };
    /** @description Unique id of an article. */
    ArticleId: string;
    ArticleMultilingualChange: {
      /** @description BCP 47 language tag, e.g. `de` or `pt-BR`. */
      language_code: string;
      title?: string | null;
      /** @description Created from the title if none is given. */
      slug?: string | null;
      description?: string | null;
      /** @description HTML. */
      body?: string | null;
      /** @description `false`: this translation is not public. */
      is_live?: boolean;
      /** @description Extension: not public before this time. ISO 8601 with a zone. */
      publish_at?: string | null;
      /** @description Extension: not public from this time on; later than `publish_at`. ISO 8601 with a zone. */
      unpublish_at?: string | null;
      /**
       * @description Extension: removes this translation.
       * @constant
       */
      is_deleted?: true;
    };
    ArticleUpdate: {
      /** @description Id of its category. */
      category_id?: string | null;
      title?: string;
      /** @description Created from the title if empty or `null`. */
      slug?: string | null;
      /** @description Plain text. */
      description?: string | null;
      /** @description HTML of a shorter version of the article. */
      short_version?: string | null;
      tags?: string[];
      /** @description `false`: a draft. */
      is_published?: boolean;
      /** @description `true`: not public. The published site leaves it out, also for readers who know its link. */
      is_private?: boolean;
      /** @description If not empty, only these groups may read the article. */
      permission_groups?: string[] | null;
      /** @description Extension: not public before this time. ISO 8601 with a zone. */
      publish_at?: string | null;
      /** @description Extension: not public from this time on; later than `publish_at`. ISO 8601 with a zone. */
      unpublish_at?: string | null;
      is_featured?: boolean;
      show_toc?: boolean;
      sort_order?: number | null;
      /** @description HTML. The first 200000 characters of its text can be searched. */
      body?: string;
      account_id?: unknown;
      user_id?: unknown;
      url?: unknown;
      relative_url?: unknown;
      version_number?: unknown;
      is_current_version?: unknown;
      editor_type?: unknown;
      stale_status?: unknown;
      author?: unknown;
      article_id?: unknown;
      created_at?: unknown;
      updated_at?: unknown;
      multilingual?: components["schemas"]["ArticleMultilingualChange"][];
    };
    Category: {
      category_id: string;
      account_id: string;
      title: string;
      description: string | null;
      slug: string;
      parent_category_id: string | null;
      sort_order: number | null;
      icon: string | null;
      /** @description ISO 8601, e.g. `2026-01-31T12:00:00.000Z`. */
      created_at: string;
      /** @description ISO 8601, e.g. `2026-01-31T12:00:00.000Z`. */
      updated_at: string;
      multilingual: components["schemas"]["CategoryMultilingual"][];
    };
    CategoryCreate: {
      title: string;
      description?: string | null;
      /** @description Created from the title if empty or `null`. */
      slug?: string | null;
      parent_category_id?: string | null;
      sort_order?: number | null;
      icon?: string | null;
      account_id?: unknown;
      multilingual?: components["schemas"]["CategoryMultilingualChange"][];
      /** @description Extension, for imports: the id to use, if it is free. */
      category_id?: string;
      /** @description Extension, for imports. */
      created_at?: string;
      /** @description Extension, for imports. */
      updated_at?: string;
    };
    CategoryMultilingual: {
      /** @description BCP 47 language tag, e.g. `de` or `pt-BR`. */
      language_code: string;
      title: string | null;
      description: string | null;
      /** @description Created from the title if none is given. */
      slug: string | null;
    };
    CategoryMultilingualChange: {
      /** @description BCP 47 language tag, e.g. `de` or `pt-BR`. */
      language_code: string;
      title?: string | null;
      description?: string | null;
      /** @description Created from the title if none is given. */
      slug?: string | null;
      /** @description Alias of `description` that some clients use. */
      body?: string | null;
      /**
       * @description Extension: removes this translation.
       * @constant
       */
      is_deleted?: true;
    };
    CategoryUpdate: {
      title?: string;
      description?: string | null;
      /** @description Created from the title if empty or `null`. */
      slug?: string | null;
      parent_category_id?: string | null;
      sort_order?: number | null;
      icon?: string | null;
      account_id?: unknown;
      category_id?: unknown;
      created_at?: unknown;
      updated_at?: unknown;
      multilingual?: components["schemas"]["CategoryMultilingualChange"][];
    };
    Error: {
      error: {
        code: string;
        message: string;
      };
    };
    MissedSearch: {
      /** @description What was typed, in lower case, without e-mail addresses and long numbers. */
      query: string;
      /** @description BCP 47 language tag, e.g. `de` or `pt-BR`. */
      language_code: string;
      /** @description Number of readers who searched for it in the timeframe. */
      count: number;
      /**
       * Format: date
       * @description The last day on which somebody did.
       */
      last_date: string;
    };
    ReaderFeedback: {
      article: components["schemas"]["ArticleId"];
      /** @description BCP 47 language tag, e.g. `de` or `pt-BR`. */
      language: string;
      /**
       * @description Absent if only a text is sent.
       * @enum {string}
       */
      helpful?: "yes" | "no";
      /** @description What the reader wrote. */
      text?: string;
      /** @description Ignored. */
      page?: string;
    };
    SearchAnswer: {
      articles: components["schemas"]["SearchHit"][];
      /** @description The query as it was sent. */
      query: string;
      /** @description The query was cut to 500 characters and 16 different words. */
      query_truncated: boolean;
      totalHits: number;
      maxScore: number | null;
      /** @description The words searched for, folded. */
      stemmedQuery: string;
    };
    SearchHit: {
      article_id: components["schemas"]["ArticleId"];
      category_id: string | null;
      /** @description Language of title, slug, description and snippet. */
      language_code: string;
      title: string;
      slug: string;
      description: string | null;
      tags: string[];
      /** @enum {string} */
      status: "published" | "draft" | "private";
      /** @description ISO 8601, e.g. `2026-01-31T12:00:00.000Z`. */
      updated_at: string;
      url: string;
      relative_url: string;
      /** @description HTML whose only element is `<mark>`, around the words found. */
      snippet: string;
      /** @description Larger is better; only comparable within one response. */
      score: number;
    };
    SearchMiss: {
      query: string;
      /** @description BCP 47 language tag, e.g. `de` or `pt-BR`. */
      language: string;
    };
    SourceArticle: {
      article_id: components["schemas"]["ArticleId"];
      /** @description BCP 47 language tag, e.g. `de` or `pt-BR`. */
      language: string;
      title: string;
      /** @description `/article/<id>-<slug>`, for a translation below `/l/<language>`. */
      url: string;
      /** @description Category titles in this language, outermost first. */
      category_path: string[];
      tags: string[];
      /** @description ISO 8601, e.g. `2026-01-31T12:00:00.000Z`. */
      updated_at: string;
      /** @description SHA-256 of title and text. */
      hash: string;
      /** @description Plain text, one block per line. */
      text: string;
    };
    SourcePage: {
      /** @constant */
      schema: "lectern/service-source/1";
      /** @description BCP 47 language tag, e.g. `de` or `pt-BR`. */
      default_language: string;
      /** @description By article, in the order of the list; the default language first. */
      articles: components["schemas"]["SourceArticle"][];
    };
    TopArticle: {
      article_id: components["schemas"]["ArticleId"];
      /** @description Views in the timeframe. */
      count: number;
      title: string;
    };
    ViewCount: {
      /** @description Number of views; default 1. */
      count?: number;
      /**
       * Format: date
       * @description Day of the views (UTC); default today.
       */
      date?: string;
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}

export type $defs = Record<string, never>;

export type external = Record<string, never>;

export interface operations {

  /** List articles of all statuses. With `format=list`, the response is that of readSourcePage. */
  listArticles: {
    parameters: {
      query?: {
        /** @description Only articles in this category. */
        category_id?: string;
        /** @description Only articles with this tag. */
        tag?: string;
        /** @description Include the bodies of articles and translations. */
        include_body?: boolean;
        /** @description Only articles updated before this time. */
        updated_at_before?: string;
        /** @description Only articles updated after this time. */
        updated_at_after?: string;
        status?: "published" | "draft" | "private";
        /** @description Only articles that exist in this language. */
        language_code?: string;
        /** @description Only articles restricted to this group (among others). */
        permission_group_id?: string;
        /** @description Maximum number of records; absent: all. */
        limit?: number;
        /** @description Number of records to skip. */
        skip?: number;
      };
      header?: {
        /** @description ETag of an earlier response. */
        "If-None-Match"?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description Changes with the response; send it as `If-None-Match`. */
          ETag?: string;
        };
        content: {
          "application/json": {
            articles: components["schemas"]["Article"][];
          };
        };
      };
      /** @description The response still has the ETag of `If-None-Match`. */
      304: {
        headers: {
          /** @description Changes with the response; send it as `If-None-Match`. */
          ETag?: string;
        };
        content: never;
      };
      /** @description A required parameter or field is missing, or one is not valid; the message names it. */
      400: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The key is missing, not valid, expired, or does not have this right. */
      401: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The ETag is not as `If-Match` and `If-None-Match` require. */
      412: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description Too many requests. */
      429: {
        headers: {
          /** @description Seconds to wait. */
          "Retry-After"?: number;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The service failed; its log says why. */
      500: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description Another process is writing to the data file, or the database does not answer. */
      503: {
        headers: {
          /** @description Seconds to wait. */
          "Retry-After"?: number;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  /** Create an article. It is a draft unless `is_published` is `true`. */
  createArticle: {
    requestBody: {
      content: {
        "application/json": components["schemas"]["ArticleCreate"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description Changes with the record; send it as `If-Match`. */
          ETag?: string;
        };
        content: {
          "application/json": {
            article: components["schemas"]["Article"];
          };
        };
      };
      /** @description A required parameter or field is missing, or one is not valid; the message names it. */
      400: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The key is missing, not valid, expired, or does not have this right. */
      401: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The request took too long to arrive. */
      408: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The requested id is taken. */
      409: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The request body, or the body of an article in one language, is too large. */
      413: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The request body is not `application/json` in UTF-8. */
      415: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description Too many requests. */
      429: {
        headers: {
          /** @description Seconds to wait. */
          "Retry-After"?: number;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The service failed; its log says why. */
      500: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description Another process is writing to the data file, or the database does not answer. */
      503: {
        headers: {
          /** @description Seconds to wait. */
          "Retry-After"?: number;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description No space is left for the data file. */
      507: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  /** Extension: return all public articles as one document. GET /article with `format=list` does the same. */
  readSourcePage: {
    parameters: {
      query?: {
        /** @description Only articles that exist in this language. */
        language_code?: string;
      };
      header?: {
        /** @description ETag of an earlier response. */
        "If-None-Match"?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description Changes with the response; send it as `If-None-Match`. */
          ETag?: string;
        };
        content: {
          "application/json": components["schemas"]["SourcePage"];
          "text/plain": string;
        };
      };
      /** @description The response still has the ETag of `If-None-Match`. */
      304: {
        headers: {
          /** @description Changes with the response; send it as `If-None-Match`. */
          ETag?: string;
        };
        content: never;
      };
      /** @description A required parameter or field is missing, or one is not valid; the message names it. */
      400: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The key is missing, not valid, expired, or does not have this right. */
      401: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The ETag is not as `If-Match` and `If-None-Match` require. */
      412: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description Too many requests. */
      429: {
        headers: {
          /** @description Seconds to wait. */
          "Retry-After"?: number;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The service failed; its log says why. */
      500: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description Another process is writing to the data file, or the database does not answer. */
      503: {
        headers: {
          /** @description Seconds to wait. */
          "Retry-After"?: number;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  /** Read one article with its bodies. */
  readArticle: {
    parameters: {
      header?: {
        /** @description ETag of an earlier response. */
        "If-None-Match"?: string;
      };
      path: {
        article_id: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description Changes with the response; send it as `If-None-Match`. */
          ETag?: string;
        };
        content: {
          "application/json": {
            article: components["schemas"]["Article"];
          };
        };
      };
      /** @description The response still has the ETag of `If-None-Match`. */
      304: {
        headers: {
          /** @description Changes with the response; send it as `If-None-Match`. */
          ETag?: string;
        };
        content: never;
      };
      /** @description A required parameter or field is missing, or one is not valid; the message names it. */
      400: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The key is missing, not valid, expired, or does not have this right. */
      401: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The record does not exist. */
      404: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The ETag is not as `If-Match` and `If-None-Match` require. */
      412: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description Too many requests. */
      429: {
        headers: {
          /** @description Seconds to wait. */
          "Retry-After"?: number;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The service failed; its log says why. */
      500: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description Another process is writing to the data file, or the database does not answer. */
      503: {
        headers: {
          /** @description Seconds to wait. */
          "Retry-After"?: number;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  /** Delete an article with its translations and views. */
  deleteArticle: {
    parameters: {
      header?: {
        /** @description ETag that the record must have. */
        "If-Match"?: string;
      };
      path: {
        article_id: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": {
            success: boolean;
          };
        };
      };
      /** @description A required parameter or field is missing, or one is not valid; the message names it. */
      400: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The key is missing, not valid, expired, or does not have this right. */
      401: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The record does not exist. */
      404: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The ETag is not as `If-Match` and `If-None-Match` require. */
      412: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description Too many requests. */
      429: {
        headers: {
          /** @description Seconds to wait. */
          "Retry-After"?: number;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The service failed; its log says why. */
      500: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description Another process is writing to the data file, or the database does not answer. */
      503: {
        headers: {
          /** @description Seconds to wait. */
          "Retry-After"?: number;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description No space is left for the data file. */
      507: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  /** Change the fields that are sent, and the languages that `multilingual` names. */
  updateArticle: {
    parameters: {
      header?: {
        /** @description ETag that the record must have. */
        "If-Match"?: string;
      };
      path: {
        article_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ArticleUpdate"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description Changes with the record; send it as `If-Match`. */
          ETag?: string;
        };
        content: {
          "application/json": {
            article: components["schemas"]["Article"];
          };
        };
      };
      /** @description A required parameter or field is missing, or one is not valid; the message names it. */
      400: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The key is missing, not valid, expired, or does not have this right. */
      401: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The record does not exist. */
      404: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The request took too long to arrive. */
      408: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The ETag is not as `If-Match` and `If-None-Match` require. */
      412: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The request body, or the body of an article in one language, is too large. */
      413: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The request body is not `application/json` in UTF-8. */
      415: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description Too many requests. */
      429: {
        headers: {
          /** @description Seconds to wait. */
          "Retry-After"?: number;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The service failed; its log says why. */
      500: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description Another process is writing to the data file, or the database does not answer. */
      503: {
        headers: {
          /** @description Seconds to wait. */
          "Retry-After"?: number;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description No space is left for the data file. */
      507: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  /** Search titles, descriptions, tags and texts; best first. */
  search: {
    parameters: {
      query: {
        /** @description Search text. Finds articles with all words, the last as a beginning; if there are none, articles with any of them. */
        query: string;
        /** @description Maximum number of results: default 10, at most 100. */
        limit?: number;
        /** @description Only this language; absent: the best language of each article. */
        language_code?: string;
        /** @description Include private and restricted articles. */
        include_private?: boolean;
        /** @description Include drafts, and translations that are not live. */
        include_draft?: boolean;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["SearchAnswer"];
        };
      };
      /** @description A required parameter or field is missing, or one is not valid; the message names it. */
      400: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The key is missing, not valid, expired, or does not have this right. */
      401: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description Too many requests. */
      429: {
        headers: {
          /** @description Seconds to wait. */
          "Retry-After"?: number;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The service failed; its log says why. */
      500: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description Another process is writing to the data file, or the database does not answer. */
      503: {
        headers: {
          /** @description Seconds to wait. */
          "Retry-After"?: number;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  /** List all categories. */
  listCategories: {
    parameters: {
      header?: {
        /** @description ETag of an earlier response. */
        "If-None-Match"?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description Changes with the response; send it as `If-None-Match`. */
          ETag?: string;
        };
        content: {
          "application/json": {
            categories: components["schemas"]["Category"][];
          };
        };
      };
      /** @description The response still has the ETag of `If-None-Match`. */
      304: {
        headers: {
          /** @description Changes with the response; send it as `If-None-Match`. */
          ETag?: string;
        };
        content: never;
      };
      /** @description The key is missing, not valid, expired, or does not have this right. */
      401: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The ETag is not as `If-Match` and `If-None-Match` require. */
      412: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description Too many requests. */
      429: {
        headers: {
          /** @description Seconds to wait. */
          "Retry-After"?: number;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The service failed; its log says why. */
      500: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description Another process is writing to the data file, or the database does not answer. */
      503: {
        headers: {
          /** @description Seconds to wait. */
          "Retry-After"?: number;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  /** Create a category. */
  createCategory: {
    requestBody: {
      content: {
        "application/json": components["schemas"]["CategoryCreate"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description Changes with the record; send it as `If-Match`. */
          ETag?: string;
        };
        content: {
          "application/json": {
            category: components["schemas"]["Category"];
          };
        };
      };
      /** @description A required parameter or field is missing, or one is not valid; the message names it. */
      400: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The key is missing, not valid, expired, or does not have this right. */
      401: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The request took too long to arrive. */
      408: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The requested id is taken. */
      409: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The request body, or the body of an article in one language, is too large. */
      413: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The request body is not `application/json` in UTF-8. */
      415: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description Too many requests. */
      429: {
        headers: {
          /** @description Seconds to wait. */
          "Retry-After"?: number;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The service failed; its log says why. */
      500: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description Another process is writing to the data file, or the database does not answer. */
      503: {
        headers: {
          /** @description Seconds to wait. */
          "Retry-After"?: number;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description No space is left for the data file. */
      507: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  /** Read one category. */
  readCategory: {
    parameters: {
      header?: {
        /** @description ETag of an earlier response. */
        "If-None-Match"?: string;
      };
      path: {
        category_id: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description Changes with the response; send it as `If-None-Match`. */
          ETag?: string;
        };
        content: {
          "application/json": {
            category: components["schemas"]["Category"];
          };
        };
      };
      /** @description The response still has the ETag of `If-None-Match`. */
      304: {
        headers: {
          /** @description Changes with the response; send it as `If-None-Match`. */
          ETag?: string;
        };
        content: never;
      };
      /** @description A required parameter or field is missing, or one is not valid; the message names it. */
      400: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The key is missing, not valid, expired, or does not have this right. */
      401: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The record does not exist. */
      404: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The ETag is not as `If-Match` and `If-None-Match` require. */
      412: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description Too many requests. */
      429: {
        headers: {
          /** @description Seconds to wait. */
          "Retry-After"?: number;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The service failed; its log says why. */
      500: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description Another process is writing to the data file, or the database does not answer. */
      503: {
        headers: {
          /** @description Seconds to wait. */
          "Retry-After"?: number;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  /** Change the fields that are sent, and the languages that `multilingual` names. */
  updateCategory: {
    parameters: {
      header?: {
        /** @description ETag that the record must have. */
        "If-Match"?: string;
      };
      path: {
        category_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CategoryUpdate"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description Changes with the record; send it as `If-Match`. */
          ETag?: string;
        };
        content: {
          "application/json": {
            category: components["schemas"]["Category"];
          };
        };
      };
      /** @description A required parameter or field is missing, or one is not valid; the message names it. */
      400: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The key is missing, not valid, expired, or does not have this right. */
      401: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The record does not exist. */
      404: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The request took too long to arrive. */
      408: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The ETag is not as `If-Match` and `If-None-Match` require. */
      412: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The request body, or the body of an article in one language, is too large. */
      413: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The request body is not `application/json` in UTF-8. */
      415: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description Too many requests. */
      429: {
        headers: {
          /** @description Seconds to wait. */
          "Retry-After"?: number;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The service failed; its log says why. */
      500: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description Another process is writing to the data file, or the database does not answer. */
      503: {
        headers: {
          /** @description Seconds to wait. */
          "Retry-After"?: number;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description No space is left for the data file. */
      507: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  /** Return the views of each article in a timeframe. */
  readStatistics: {
    parameters: {
      query?: {
        /** @description Return titles in this language if the article has one. */
        language_code?: string;
        /** @description First day (UTC), inclusive; absent: 29 days before the last. */
        start_date?: string;
        /** @description Last day (UTC), inclusive; absent: today. */
        end_date?: string;
        category_id?: string;
        /** @description Maximum number of entries: default 100, at most 1000. */
        limit?: number;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": {
            top_articles: components["schemas"]["TopArticle"][];
          };
        };
      };
      /** @description A required parameter or field is missing, or one is not valid; the message names it. */
      400: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The key is missing, not valid, expired, or does not have this right. */
      401: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description Too many requests. */
      429: {
        headers: {
          /** @description Seconds to wait. */
          "Retry-After"?: number;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The service failed; its log says why. */
      500: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description Another process is writing to the data file, or the database does not answer. */
      503: {
        headers: {
          /** @description Seconds to wait. */
          "Retry-After"?: number;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  /** Return the views of each article in a timeframe. */
  readStatisticsAtOtherPath: {
    parameters: {
      query?: {
        /** @description Return titles in this language if the article has one. */
        language_code?: string;
        /** @description First day (UTC), inclusive; absent: 29 days before the last. */
        start_date?: string;
        /** @description Last day (UTC), inclusive; absent: today. */
        end_date?: string;
        category_id?: string;
        /** @description Maximum number of entries: default 100, at most 1000. */
        limit?: number;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": {
            top_articles: components["schemas"]["TopArticle"][];
          };
        };
      };
      /** @description A required parameter or field is missing, or one is not valid; the message names it. */
      400: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The key is missing, not valid, expired, or does not have this right. */
      401: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description Too many requests. */
      429: {
        headers: {
          /** @description Seconds to wait. */
          "Retry-After"?: number;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The service failed; its log says why. */
      500: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description Another process is writing to the data file, or the database does not answer. */
      503: {
        headers: {
          /** @description Seconds to wait. */
          "Retry-After"?: number;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  /** Extension: add views of an article to one day. */
  countViews: {
    parameters: {
      path: {
        article_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ViewCount"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": {
            success: boolean;
          };
        };
      };
      /** @description A required parameter or field is missing, or one is not valid; the message names it. */
      400: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The key is missing, not valid, expired, or does not have this right. */
      401: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The record does not exist. */
      404: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The request took too long to arrive. */
      408: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The request body, or the body of an article in one language, is too large. */
      413: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The request body is not `application/json` in UTF-8. */
      415: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description Too many requests. */
      429: {
        headers: {
          /** @description Seconds to wait. */
          "Retry-After"?: number;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The service failed; its log says why. */
      500: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description Another process is writing to the data file, or the database does not answer. */
      503: {
        headers: {
          /** @description Seconds to wait. */
          "Retry-After"?: number;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description No space is left for the data file. */
      507: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  /** Extension: add views of an article to one day. */
  countViewsAtOtherPath: {
    parameters: {
      path: {
        article_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ViewCount"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": {
            success: boolean;
          };
        };
      };
      /** @description A required parameter or field is missing, or one is not valid; the message names it. */
      400: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The key is missing, not valid, expired, or does not have this right. */
      401: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The record does not exist. */
      404: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The request took too long to arrive. */
      408: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The request body, or the body of an article in one language, is too large. */
      413: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The request body is not `application/json` in UTF-8. */
      415: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description Too many requests. */
      429: {
        headers: {
          /** @description Seconds to wait. */
          "Retry-After"?: number;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The service failed; its log says why. */
      500: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description Another process is writing to the data file, or the database does not answer. */
      503: {
        headers: {
          /** @description Seconds to wait. */
          "Retry-After"?: number;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description No space is left for the data file. */
      507: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  /** Extension: return the searches in which readers found nothing. */
  readSearches: {
    parameters: {
      query?: {
        /** @description First day (UTC), inclusive; absent: 29 days before the last. */
        start_date?: string;
        /** @description Last day (UTC), inclusive; absent: today. */
        end_date?: string;
        /** @description Maximum number of entries: default 100, at most 1000. */
        limit?: number;
        /** @description Only what readers of this language said. */
        language_code?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": {
            searches: components["schemas"]["MissedSearch"][];
          };
        };
      };
      /** @description A required parameter or field is missing, or one is not valid; the message names it. */
      400: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The key is missing, not valid, expired, or does not have this right. */
      401: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description Too many requests. */
      429: {
        headers: {
          /** @description Seconds to wait. */
          "Retry-After"?: number;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The service failed; its log says why. */
      500: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description Another process is writing to the data file, or the database does not answer. */
      503: {
        headers: {
          /** @description Seconds to wait. */
          "Retry-After"?: number;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  /** Extension: counts a search without a result. */
  countSearch: {
    requestBody: {
      content: {
        "application/json": components["schemas"]["SearchMiss"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description Changes with the record; send it as `If-Match`. */
          ETag?: string;
        };
        content: {
          "application/json": {
            success: boolean;
          };
        };
      };
      /** @description A required parameter or field is missing, or one is not valid; the message names it. */
      400: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The key is missing, not valid, expired, or does not have this right. */
      401: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The request took too long to arrive. */
      408: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The requested id is taken. */
      409: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The request body, or the body of an article in one language, is too large. */
      413: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The request body is not `application/json` in UTF-8. */
      415: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description Too many requests. */
      429: {
        headers: {
          /** @description Seconds to wait. */
          "Retry-After"?: number;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The service failed; its log says why. */
      500: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description Another process is writing to the data file, or the database does not answer. */
      503: {
        headers: {
          /** @description Seconds to wait. */
          "Retry-After"?: number;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description No space is left for the data file. */
      507: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  /** Extension: return how many readers an article helped, and what they wrote. */
  readFeedback: {
    parameters: {
      query?: {
        /** @description First day (UTC), inclusive; absent: 29 days before the last. */
        start_date?: string;
        /** @description Last day (UTC), inclusive; absent: today. */
        end_date?: string;
        /** @description Maximum number of entries: default 100, at most 1000. */
        limit?: number;
        /** @description Only what readers of this language said. */
        language_code?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": {
            feedback: components["schemas"]["ArticleFeedback"][];
          };
        };
      };
      /** @description A required parameter or field is missing, or one is not valid; the message names it. */
      400: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The key is missing, not valid, expired, or does not have this right. */
      401: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description Too many requests. */
      429: {
        headers: {
          /** @description Seconds to wait. */
          "Retry-After"?: number;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The service failed; its log says why. */
      500: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description Another process is writing to the data file, or the database does not answer. */
      503: {
        headers: {
          /** @description Seconds to wait. */
          "Retry-After"?: number;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  /** Extension: counts the answer of a reader to "Was this article helpful?". */
  countFeedback: {
    requestBody: {
      content: {
        "application/json": components["schemas"]["ReaderFeedback"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description Changes with the record; send it as `If-Match`. */
          ETag?: string;
        };
        content: {
          "application/json": {
            success: boolean;
          };
        };
      };
      /** @description A required parameter or field is missing, or one is not valid; the message names it. */
      400: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The key is missing, not valid, expired, or does not have this right. */
      401: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The request took too long to arrive. */
      408: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The requested id is taken. */
      409: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The request body, or the body of an article in one language, is too large. */
      413: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The request body is not `application/json` in UTF-8. */
      415: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description Too many requests. */
      429: {
        headers: {
          /** @description Seconds to wait. */
          "Retry-After"?: number;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description The service failed; its log says why. */
      500: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description Another process is writing to the data file, or the database does not answer. */
      503: {
        headers: {
          /** @description Seconds to wait. */
          "Retry-After"?: number;
        };
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
      /** @description No space is left for the data file. */
      507: {
        content: {
          "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
}
